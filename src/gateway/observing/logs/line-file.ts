/** Writes lines to a file, a few at a time. Where the disk is slow or full, lines are lost; memory and requests are not affected. */

import { type FileHandle, open, stat } from 'node:fs/promises'

/** Characters of lines that are written together. */
const TOGETHER_LENGTH = 4096
/** Fewer are written after this time. */
const WAIT_MS = 1000
/** Characters that may wait to be written. Further lines are lost. */
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

  /** `lost` is called with the reason where lines cannot be written. Throws the system's error where the file cannot be opened. */
  static async open(path: string, lost: (reason: unknown) => void, mode?: number): Promise<LineFile> {
    const file = await NamedFile.open(path, mode)
    return new LineFile(
      (text) => file.append(text),
      () => file.close(),
      lost,
    )
  }

  /** `isShared`: other processes write to stdout, too. Lines of this one must stay whole among theirs. */
  static ofStdout(lost: (reason: unknown) => void, isShared = false): LineFile {
    // The reader of stdout may go. An error without a listener would end the process.
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

  /** Resolves once all lines are written, or are lost. */
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

/** A file to which text is appended. Tools that rotate logs move it away: then a new file is made under its name. */
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
    // Where no new file can be made, the moved file takes the lines.
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

/** A pipe takes up to 4096 bytes in one piece. A longer line may be mixed with those of other processes. */
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
