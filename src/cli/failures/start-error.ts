/** The server cannot start, and the user can change that: the command prints one line and exits with code 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
