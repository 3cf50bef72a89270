/** A running container, whoever made it. */

export type Environment = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly output: string
}

export interface Container {
  /** Runs a command in the container to its end. */
  readonly exec: (command: readonly string[]) => Promise<Ended>
  /** What it has printed so far. */
  readonly output: () => Promise<string>
  /** SIGTERM to its first process, and its end. */
  readonly stop: () => Promise<Ended>
  /** Resolves when its first process has ended by itself. */
  readonly ended: () => Promise<Ended>
}

/** Starts containers of one image. */
export interface Builder {
  readonly name: string
  /** The volume keeps its data from one container to the next. */
  readonly start: (environment: Environment) => Promise<Container>
  readonly remove: () => Promise<void>
}
