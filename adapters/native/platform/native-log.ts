/** Takes the engine's messages to its operator. */
export type NativeLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void
