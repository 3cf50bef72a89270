/** The message of an Error; anything else that was thrown, as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
