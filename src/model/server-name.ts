export interface ServerName {
  readonly host: string
  readonly port: number
  /** Milliseconds since 1970 at which the server started. */
  readonly startCode: number
}
