/** No project is open: the way to open one. */
import type { JSX } from "preact";
import { useWords } from "./context.ts";
import { Logo } from "./Logo.tsx";
import { ProjectPicker } from "./ProjectPicker.tsx";

export function Home(): JSX.Element {
  const words = useWords();
  return (
    <div class="home">
      <div class="home-box">
        <div class="home-head">
          <Logo size={44} />
          <div>
            <h1>IdeA</h1>
            <p class="muted">{words.appTagline}</p>
          </div>
        </div>
        <ProjectPicker onDone={() => {}} />
      </div>
    </div>
  );
}
