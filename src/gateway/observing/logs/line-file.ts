/** Lines on their way to a file, a few at a time. A disk that is slow or full costs lines, never memory or a request. */

import { type FileHandle, open, stat } from 'node:fs/promises'

/** Lines of so many characters go to the file together, */
const TOGETHER_LENGTH = 4096
/** or after so long. */
const WAIT_MS = 1000
/** Characters that may wait. */
const WAITING_LENGTH_MAX = 4 * 1024 * 1024

type Write = (text: string) => Promise<unknown>

export class LineFile {
  readonly #write: Write
  readonly #close: () => Promise<void>
  readonly #lost: (reason: unknown) => void
  readonly #timer: NodeJS.Timeout
  #waiting: string[] = []
  #length = 0
  #writing: Promise<void> | undefined

  private constructor(write: Write, close: () => Promise<void>, lost: (reason: unknown) => void) {
    this.#write = write
    this.#close = close
    this.#lost = lost
    this.#timer = setInterval(() => this.#flush(), WAIT_MS).unref()
  }

  /** `lost` hears of lines that cannot be written. Throws the system's error where the file cannot be opened. */
  static async open(path: string, lost: (reason: unknown) => void, mode?: number): Promise<LineFile> {
    const file = await NamedFile.open(path, mode)
    return new LineFile(
      (text) => file.append(text),
      () => file.close(),
      lost,
    )
  }

  /** `isShared`: other processes write to it, too, between whose lines those of this one must stay whole. */
  static ofStdout(lost: (reason: unknown) => void, isShared = false): LineFile {
    // Whoever reads stdout may go: an error without a listener would end the process.
    process.stdout.on('error', lost)
    const close = async (): Promise<void> => {
      process.stdout.off('error', lost)
    }
    return new LineFile(isShared ? writeLinesToStdout : writeToStdout, close, lost)
  }

  write(line: string): void {
    if (this.#length >= WAITING_LENGTH_MAX) {
      this.#lost('the disk does not keep up')
      return
    }
    this.#waiting.push(line)
    this.#length += line.length
    if (this.#length >= TOGETHER_LENGTH) this.#flush()
  }

  /** Resolves once all lines are with the system, or cannot be. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
    this.#flush()
    await this.#writing
    await this.#close()
  }

  #flush(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return
    const text = this.#waiting.join('')
    this.#waiting = []
    this.#length = 0
    this.#writing = this.#write(text).then(
      () => this.#written(),
      (error: unknown) => {
        this.#lost(error)
        this.#written()
      },
    )
  }

  #written(): void {
    this.#writing = undefined
    if (this.#length >= TOGETHER_LENGTH) this.#flush()
  }
}

/** A file that text is added to. Once somebody has moved it away, as tools do that rotate logs, there is a new one under its name. */
class NamedFile {
  readonly #path: string
  readonly #mode: number | undefined
  #file: FileHandle
  #identity: string

  private constructor(path: string, mode: number | undefined, file: FileHandle, identity: string) {
    this.#path = path
    this.#mode = mode
    this.#file = file
    this.#identity = identity
  }

  static async open(path: string, mode: number | undefined): Promise<NamedFile> {
    const file = await open(path, 'a', mode)
    return new NamedFile(path, mode, file, identityOf(await file.stat()))
  }

  async append(text: string): Promise<void> {
    const isThere = await stat(this.#path).then(
      (found) => identityOf(found) === this.#identity,
      () => false,
    )
    // Where no other file can be made, the one that was moved takes the lines.
    if (!isThere) await this.#reopen().catch(() => undefined)
    await this.#file.appendFile(text)
  }

  async #reopen(): Promise<void> {
    const file = await open(this.#path, 'a', this.#mode)
    const before = this.#file
    this.#file = file
    this.#identity = identityOf(await file.stat())
    await before.close()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

function identityOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`
}

/** A pipe takes 4096 bytes in one piece. A line that is longer is its own risk. */
async function writeLinesToStdout(text: string): Promise<void> {
  let piece = ''
  for (const line of text.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece + line) > TOGETHER_LENGTH) {
      await writeToStdout(piece)
      piece = ''
    }
    piece += line
  }
  await writeToStdout(piece)
}

function writeToStdout(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()))
}
