/**
 * A file that is read again when it changes. Where the new content cannot be used, that is logged and reported (`trouble`), and the earlier
 * content stays in use. A file that changes while it is read is read once more: its later content counts.
 */

import type { Logger } from 'pino'
import { reasonOf } from '../../../model/error-reason.ts'
import { inTurnsIfMany } from '../../../model/many-a-turn.ts'
import type { Steps } from '../../../model/steps.ts'
import { WatchedFiles } from './watched-files.ts'

export interface RereadFileParts<Content> {
  readonly path: string
  /** Throws for a file that cannot be read. */
  readonly read: () => string
  /** Makes the content of the text, in steps. Throws for a wrong line. */
  readonly parse: (text: string) => Steps<Content>
  readonly use: (content: Content) => void
  readonly refusalOf: (reason: string) => Error
  /** The beginning of the message of a failure, which names the content that stays in use. */
  readonly consequence: string
  readonly logger: Logger
  /** Milliseconds between two checks of the file. */
  readonly lookMs?: number | undefined
}

export class RereadFile<Content> {
  readonly #parts: RereadFileParts<Content>
  readonly #files: WatchedFiles
  #trouble: string | undefined
  #reloads = 0

  constructor(parts: RereadFileParts<Content>) {
    this.#parts = parts
    this.#files = new WatchedFiles([parts.path], () => this.reload(), parts.lookMs)
  }

  /** The reason why the content in use is older than the file; undefined where it is not. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Reads the file again if it has changed. */
  look(): void {
    this.#files.look()
  }

  reload(): void {
    const { path, read, parse, refusalOf } = this.#parts
    const reload = ++this.#reloads
    const stay = (error: unknown): void => this.#stay(error, reload)
    try {
      const text = read()
      // A program that writes into the file empties it first: without entries it has at least a comment.
      if (text === '') throw refusalOf(`${path} is empty`)
      const content = inTurnsIfMany(text.length, parse(text))
      if (content instanceof Promise) content.then((late: Content) => this.#use(late, reload), stay)
      else this.#use(content, reload)
    } catch (error) {
      stay(error)
    }
  }

  #use(content: Content, reload: number): void {
    if (reload !== this.#reloads) return
    this.#trouble = undefined
    this.#parts.use(content)
  }

  #stay(error: unknown, reload: number): void {
    if (reload !== this.#reloads) return
    this.#trouble = `${this.#parts.consequence}: ${reasonOf(error)}`
    this.#parts.logger.error({ err: error }, this.#trouble)
  }

  close(): void {
    this.#files.close()
  }
}
