/** JSON-RPC messages as the bridge needs to know them: it carries them and reads only what it must. */

export type RpcId = string | number;

export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: RpcId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export function parseRpcMessage(text: string): RpcMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRpcMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRpcMessage(value: unknown): value is RpcMessage {
  if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0") return false;
  if ("id" in value && typeof value.id !== "string" && typeof value.id !== "number") return false;
  return !("method" in value) || typeof value.method === "string";
}

export function isRequest(
  message: RpcMessage,
): message is RpcMessage & { readonly id: RpcId; readonly method: string } {
  return message.method !== undefined && message.id !== undefined;
}

export function isResponse(message: RpcMessage): message is RpcMessage & { readonly id: RpcId } {
  return message.method === undefined && message.id !== undefined;
}

export function stringField(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const field = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof field === "string" ? field : undefined;
}
