/** Counts changes of a table. It may be a word in memory that threads share: then one thread raises it, and all see it. */
export interface ChangeCount {
  readonly value: number
  /** Called after each change, before its client is answered. */
  add(): void
}

class OwnCount implements ChangeCount {
  value = 0

  add(): void {
    this.value++
  }
}

export interface CurrentContentOptions {
  /** Undefined: no other thread keeps the content. */
  readonly changes?: ChangeCount | undefined
  /** The age in milliseconds from which the content is read again. Default: Infinity, where no other server changes the table. */
  readonly ageMsMax?: number
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number
}

/**
 * The present content of a table of Tidegate's own, such as the permissions in hbase:acl. It is kept, and read again after a change; where other servers
 * may change the table, also once it is old.
 */
export class CurrentContent<Content extends object> {
  readonly #read: () => Promise<Content>
  readonly #changes: ChangeCount
  readonly #ageMsMax: number
  readonly #now: () => number
  #content: Content | undefined
  /** The count of changes before the content was read: it has all of these changes, and perhaps later ones. */
  #changesBefore = 0
  #readAt = 0
  #reading: Promise<Content> | undefined

  constructor(
    read: () => Promise<Content>,
    {
      changes = new OwnCount(),
      ageMsMax = Number.POSITIVE_INFINITY,
      now = () => performance.now(),
    }: CurrentContentOptions = {},
  ) {
    this.#read = read
    this.#changes = changes
    this.#ageMsMax = ageMsMax
    this.#now = now
  }

  /** The content: at once where it need not be read. Rejects like reads of a table. */
  get(): Content | Promise<Content> {
    const content = this.#content
    if (content !== undefined && this.#changes.value === this.#changesBefore && !this.#isOld()) return content
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  #isOld(): boolean {
    // Each call comes here: the clock is read only where the age matters.
    return Number.isFinite(this.#ageMsMax) && this.#now() - this.#readAt > this.#ageMsMax
  }

  /** Called after each change, before its client is answered, and after failed changes, which may have been made. */
  changed(): void {
    this.#changes.add()
  }

  async #readAll(): Promise<Content> {
    for (;;) {
      const [changesBefore, readAt] = [this.#changes.value, this.#now()]
      const content = await this.#read()
      // Calls that came since the change wait for this reading, too.
      if (changesBefore !== this.#changes.value) continue
      this.#content = content
      this.#changesBefore = changesBefore
      this.#readAt = readAt
      return content
    }
  }
}
