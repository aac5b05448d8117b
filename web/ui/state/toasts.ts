/** Short messages in the corner: errors stay until they are dismissed, the rest goes by itself. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Message } from "./errors.ts";

export interface Toast extends Message {
  readonly id: number;
  readonly tone: "error" | "info";
  /** The same message again does not pile up. */
  readonly times: number;
}

export interface Toasts {
  readonly list: ReadonlySignal<readonly Toast[]>;
  error(message: Message): void;
  info(message: Message): void;
  dismiss(id: number): void;
}

const INFO_MS = 4_000;
const MAX_TOASTS = 5;

export function createToasts(later: (run: () => void, ms: number) => void): Toasts {
  const list = signal<readonly Toast[]>([]);
  let nextId = 1;
  const dismiss = (id: number) => {
    list.value = list.value.filter((toast) => toast.id !== id);
  };
  const add = (tone: Toast["tone"], message: Message): number => {
    const same = list.value.find((toast) => toast.title === message.title && toast.detail === message.detail);
    const toast: Toast = { ...message, tone, id: same?.id ?? nextId++, times: (same?.times ?? 0) + 1 };
    list.value = [...list.value.filter(({ id }) => id !== toast.id), toast].slice(-MAX_TOASTS);
    return toast.id;
  };
  return {
    list,
    error: (message) => void add("error", message),
    info(message) {
      const id = add("info", message);
      later(() => dismiss(id), INFO_MS);
    },
    dismiss,
  };
}
