/** The engine's view of disk, time and chance. Tests pass a file system that crashes and tears, and a clock that they move. */

export interface OpenFile {
  readonly path: string
  /** Appends all buffers, in order, in one call to the operating system. */
  append(buffers: readonly Buffer[]): void
  /** Reads up to `length` bytes at `position` into target[offset..]; returns their number, less than `length` only at the file's end. */
  read(target: Buffer, offset: number, length: number, position: number): number
  size(): number
  truncate(bytes: number): void
  /** Resolves once everything appended before the call is on disk. */
  sync(): Promise<void>
  close(): void
}

/** The part of an open file that a reader of a store file needs. */
export type ReadableFile = Pick<OpenFile, 'path' | 'read' | 'size' | 'close'>

export interface FileSystem {
  /** `create` fails where the file exists; `append` opens or makes the file, and can read it, too. */
  open(path: string, mode: 'read' | 'append' | 'create'): OpenFile
  /** Sorted names in a directory; none if there is no such directory. */
  list(directory: string): string[]
  exists(path: string): boolean
  /** The path without links and `..`, which no other path of the same file has, beside those of a second name. Throws where there is no file. */
  realPath(path: string): string
  /** Makes a directory with its parents; does nothing if it exists. */
  makeDirectory(path: string): void
  /** Moves a file or a directory; atomic; replaces a file named `to`. */
  rename(from: string, to: string): void
  /** Gives the file a second name, which must be free. False where the disk has no links: then there is none. */
  link(from: string, to: string): boolean
  /** How many names a file has; 1 for a directory. */
  linkCount(path: string): number
  /** The same for all names of a file, and of no other: device and inode. Undefined where there is no file, and for a directory. */
  fileId(path: string): string | undefined
  /** Another one once the file's bytes may have changed; empty where there is no file. Never throws. */
  stamp(path: string): string
  /** Removes a file or a whole directory; does nothing if it does not exist. */
  remove(path: string): void
  /** As `remove`, while other work goes on: a disk takes long to free the space of a large file. */
  removeLarge(path: string): Promise<void>
  /** Up to `length` bytes of a file from `offset` on, while other work goes on; fewer only at its end. */
  readAside(path: string, offset: number, length: number): Promise<Buffer>
  /** Removes an empty directory; false where it is not empty, or no directory. */
  removeIfEmpty(path: string): boolean
  /** Bytes that this process may still write to the directory's disk. Throws where the disk does not report it. */
  freeBytes(directory: string): number
  /** Size of the directory's disk. Throws where the disk does not report it. */
  diskBytes(directory: string): number
  /** Makes renames, new files and removals in the directory survive a power loss. */
  syncDirectory(path: string): Promise<void>
  /** Locks the directory for this process until the returned function is called. Throws where another process holds it. */
  lock(directory: string): Promise<() => void>
  /** Describes the loss of this process's lock of the directory; undefined while it holds. */
  lockLoss(directory: string): string | undefined
}

export interface Clock {
  /** Milliseconds since 1970, a safe integer. The time of cells: it goes back where an operator sets the machine's time back. */
  now(): number
  /** Milliseconds since any fixed moment, which never go back. A clock without it is never set. */
  readonly monotonicMs?: () => number
}

/** Milliseconds since any fixed moment, for waits and durations. */
export function monotonicMs(clock: Clock): number {
  return clock.monotonicMs?.() ?? clock.now()
}

/** A source of random numbers in [0, 1), such as Math.random. */
export type RandomSource = () => number
