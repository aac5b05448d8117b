/** A button that shows an icon, named for those who do not see it and for the tooltip. */
import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

export interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export function IconButton(props: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`icon-button ${props.danger ? "danger" : ""} ${props.class ?? ""}`}
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
      {props.children}
    </button>
  );
}
