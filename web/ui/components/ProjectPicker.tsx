/** Recent projects, and the folders of the machine to find others. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { closeProject, listFolder, openProject } from "../interactions/projects.ts";
import { searchBy } from "../state/search.ts";
import { formatAgo } from "../state/time.ts";
import type { FolderListing, ProjectView } from "../state/views.ts";
import { IconButton } from "./Button.tsx";
import { useNow, useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";

export function ProjectPicker({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const open = (root: string) => void openProject(store, root).then((done) => done && onDone());
  return (
    <div class="picker">
      <section class="picker-recent" aria-label={words.picker.recent}>
        <h3>{words.picker.recent}</h3>
        {store.projects.known.value.length === 0 && <p class="muted small">{words.picker.noRecent}</p>}
        <ul>
          {store.projects.known.value.map((project) => (
            <RecentProject
              key={project.projectId}
              project={project}
              onOpen={() => open(project.root)}
            />
          ))}
        </ul>
      </section>
      <FolderBrowser onOpen={open} />
    </div>
  );
}

function RecentProject(
  { project, onOpen }: { readonly project: ProjectView; readonly onOpen: () => void },
): JSX.Element {
  const store = useStore();
  const words = useWords();
  const now = useNow(60_000);
  const { name, root, lastOpenedAtMs, projectId } = project;
  return (
    <li class="recent-row">
      <button type="button" class="recent-main" onClick={onOpen} title={root}>
        <Icon name="folderIdea" />
        <span class="recent-text">
          <strong class="clip">{name}</strong>
          <span class="muted small clip-start">
            <bdi>{root}</bdi>
          </span>
        </span>
        {lastOpenedAtMs !== undefined && <span class="faint small">{formatAgo(lastOpenedAtMs, now, words)}</span>}
      </button>
      {!project.open && (
        <IconButton
          icon="close"
          label={words.picker.forget(name)}
          onClick={() => void closeProject(store, projectId, { forget: true })}
        />
      )}
    </li>
  );
}

function FolderBrowser({ onOpen }: { readonly onOpen: (root: string) => void }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const [listing, setListing] = useState<FolderListing>();
  const [typed, setTyped] = useState("");
  const [filter, setFilter] = useState("");
  const browse = async (path: string | undefined) => {
    const read = await listFolder(store, path);
    if (read === undefined) return;
    setListing(read);
    setTyped(read.path);
    setFilter("");
  };
  useEffect(() => void browse(undefined), []);
  const folders = searchBy(
    (listing?.folders ?? []).filter((folder) => !folder.isHidden || filter.startsWith(".")),
    filter,
    (folder) => folder.name,
  );
  const { parent, path } = listing ?? {};
  return (
    <section class="picker-folders" aria-label={words.picker.browse}>
      <h3>{words.picker.browse}</h3>
      <form
        class="picker-path"
        onSubmit={(event) => {
          event.preventDefault();
          void browse(typed);
        }}
      >
        <IconButton
          icon="arrowUp"
          label={words.picker.goUp}
          disabled={parent === undefined}
          onClick={() => void browse(parent)}
        />
        <input
          type="text"
          class="mono"
          value={typed}
          spellcheck={false}
          autocapitalize="off"
          aria-label={words.picker.path}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <input
        type="search"
        class="picker-filter"
        placeholder={words.picker.filter}
        aria-label={words.picker.filter}
        value={filter}
        data-autofocus
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = folders[0];
          if (event.key === "Enter" && first !== undefined && filter !== "") void browse(first.path);
        }}
      />
      <ul class="folder-list">
        {listing !== undefined && folders.length === 0 && <li class="muted small">{words.picker.empty}</li>}
        {folders.map((folder) => (
          <li key={folder.path}>
            <button type="button" onClick={() => void browse(folder.path)}>
              <Icon name={folder.isProject ? "folderIdea" : "folder"} />
              <span class="clip">{folder.name}</span>
              {folder.isProject && <span class="tag">{words.picker.isProject}</span>}
            </button>
            {folder.isProject && (
              <button
                type="button"
                class="quiet"
                aria-label={words.picker.open(folder.name)}
                onClick={() => onOpen(folder.path)}
              >
                {words.actions.open}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="picker-foot">
        <button
          type="button"
          class="primary"
          disabled={path === undefined}
          onClick={() => onOpen(typed === "" ? path ?? "" : typed)}
        >
          {words.picker.openHere}
        </button>
      </div>
    </section>
  );
}
