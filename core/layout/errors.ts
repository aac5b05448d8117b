/** Why an operation on a layout is refused. The tree is then as it was. */
export type LayoutError =
  | { readonly kind: "cellNotFound"; readonly cellId: string }
  | { readonly kind: "nodeNotFound"; readonly nodeId: string }
  /** One weight for each child or track, each finite and positive. */
  | { readonly kind: "invalidWeights"; readonly expected: number; readonly actual: number }
  | { readonly kind: "sameCell"; readonly cellId: string }
  | { readonly kind: "tooManyCells"; readonly limit: number }
  | { readonly kind: "tooDeep"; readonly limit: number }
  /** No neighbour of it in its grid could take its place alone. */
  | { readonly kind: "cannotClose"; readonly cellId: string }
  /** The block that holds both would cut another cell. */
  | { readonly kind: "cannotMerge"; readonly cellIds: readonly string[] }
  | { readonly kind: "notMerged"; readonly cellId: string }
  | { readonly kind: "lastTrack"; readonly axis: "row" | "col" }
  /** A cell is too thin for a line of its own. */
  | { readonly kind: "tooThin" };
