/** What the engine sees of the world. Tests pass a file system that crashes and tears, and a clock that they move. */

export interface OpenFile {
  readonly path: string
  /** Appends all of it, in order, in one call to the operating system. */
  append(buffers: readonly Buffer[]): void
  /** Reads up to `length` bytes at `position` into target[offset..]; returns how many, fewer only at the file's end. */
  read(target: Buffer, offset: number, length: number, position: number): number
  size(): number
  truncate(bytes: number): void
  /** Resolves once everything appended before the call is on disk. */
  sync(): Promise<void>
  close(): void
}

export interface FileSystem {
  /** `create` fails where the file exists; `append` opens or makes it, and reads too. */
  open(path: string, mode: 'read' | 'append' | 'create'): OpenFile
  /** Names in a directory, sorted; none where there is no such directory. */
  list(directory: string): string[]
  exists(path: string): boolean
  /** With its parents; nothing where it exists. */
  makeDirectory(path: string): void
  /** Atomic; replaces what is there. */
  rename(from: string, to: string): void
  /** A file or a whole directory; nothing where there is none. */
  remove(path: string): void
  /** Makes renames, new files and removals in the directory survive a power loss. */
  syncDirectory(path: string): Promise<void>
  /** Takes the directory for this process until the returned function is called. Throws where another has it. */
  lock(directory: string): () => void
}

export interface Clock {
  /** Milliseconds since 1970, a safe integer. */
  now(): number
}

/** As Math.random: [0, 1). */
export type RandomSource = () => number
