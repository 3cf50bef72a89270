/** Clients that work on a few rows through a door each, and what each of them saw. */

import type { WritingDoor } from '../kill/writing-door.ts'
import { ABSENT, DONE, type RowInput, type RowOutput } from './cell-model.ts'
import { pairOf, type RowReader, type Rows, valueOf } from './door-readers.ts'
import type { Histories } from './histories.ts'

/** A client of a door: one operation at a time. */
export interface DoorClient extends RowReader {
  readonly writer: WritingDoor
}

export const KINDS = ['register', 'register2', 'counter', 'append', 'pair', 'pair2'] as const
type Kind = (typeof KINDS)[number]

const ATTEMPT_MS_MAX = 10_000
/** Between a failure and the next attempt. */
const PAUSE_MS = 20
/** Errors of a client that sent nothing: no server listens. */
const UNSENT = /ECONNREFUSED/

export interface RoundContext {
  readonly prefix: string
  readonly histories: Histories
  readonly random: () => number
  /** Rejects once the server that the clients talk to is gone. */
  readonly gone: Promise<never>
  /** `done`: operations of the client that asks. */
  readonly isOver: (done: number) => boolean
}

/** What one client does: another one gets other values. */
export class RoundClient {
  readonly #open: () => DoorClient
  #door: DoorClient
  readonly #name: string
  #values = 0
  operations = 0
  unknown = 0

  /** `open`: makes a client, again after each failure. */
  constructor(open: () => DoorClient, name: string) {
    this.#open = open
    this.#door = open()
    this.#name = name
  }

  /** Resolves once the round is over, or the server gone. */
  async work(context: RoundContext): Promise<void> {
    while (!context.isOver(this.operations)) {
      try {
        await withinTime(Promise.race([this.#once(context), context.gone]))
        this.operations++
      } catch (error) {
        if (!UNSENT.test(String(error))) this.unknown++
        this.#door.close()
        if (error instanceof ServerGone) return
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        this.#door = this.#open()
      }
    }
    this.#door.close()
  }

  async #once(context: RoundContext): Promise<void> {
    const { random, prefix } = context
    if (random() < 0.1) return await this.#scan(context)
    const kind = KINDS[Math.floor(random() * KINDS.length)]!
    const row = `${prefix}${kind}`
    const roll = random()
    if (roll < 0.4) return await this.#read(context, row, kind)
    const { writer } = this.#door
    const value = `${this.#name}.${this.#values++}`
    switch (kind) {
      case 'counter':
        return await this.#change(context, row, { kind: 'increment' }, () => writer.increment(row, 'f:n'))
      case 'append':
        return await this.#change(context, row, { kind: 'append', text: `${value},` }, () =>
          writer.append(row, 'f:v', `${value},`),
        )
      case 'pair':
      case 'pair2':
        return await this.#change(context, row, { kind: 'write', value }, () =>
          writer.put(row, pairOf(value)),
        )
      case 'register':
      case 'register2':
        if (roll < 0.7) return await this.#compareAndSet(context, row, value)
        return await this.#change(context, row, { kind: 'write', value }, () =>
          writer.put(row, { 'f:v': value }),
        )
    }
  }

  async #read({ histories }: RoundContext, row: string, kind: Kind): Promise<void> {
    const end = histories.begin(row, { kind: 'read' })
    end(valueIn(await this.#door.read(row), row, kind))
  }

  /** Each row of a scan is a read of its own: HBase's scans are atomic by row alone. */
  async #scan({ histories, prefix }: RoundContext): Promise<void> {
    const ends = KINDS.map((kind) => ({ kind, end: histories.begin(`${prefix}${kind}`, { kind: 'read' }) }))
    const rows = await this.#door.scan(prefix)
    for (const { kind, end } of ends) end(valueIn(rows, `${prefix}${kind}`, kind))
  }

  async #change(
    { histories }: RoundContext,
    row: string,
    input: RowInput,
    send: () => Promise<unknown>,
  ): Promise<void> {
    const end = histories.begin(row, input)
    await send()
    end(DONE)
  }

  async #compareAndSet(context: RoundContext, row: string, to: string): Promise<void> {
    const { histories } = context
    const read = histories.begin(row, { kind: 'read' })
    const from = valueIn(await this.#door.read(row), row, 'register')
    read(from)
    if (from === ABSENT) return
    const end = histories.begin(row, { kind: 'compareAndSet', from, to })
    end((await this.#door.writer.checkAndPut(row, 'f:v', from, to)) satisfies RowOutput)
  }
}

function valueIn(rows: Rows, row: string, kind: Kind): string {
  return valueOf(rows.get(row), kind === 'counter')
}

/** The server that the clients talked to is gone for good. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone'
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ATTEMPT_MS_MAX)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
