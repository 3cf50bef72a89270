/** Whether a subject keeps its promises for one input. */

import { getHeapStatistics } from 'node:v8'
import { type FuzzTarget, isRefusal, type KeptBytes } from './fuzz-target.ts'

/** Processor time that an input may take, and how much more for each of its bytes: squares are not forgiven. */
const BASE_MS = 100
const MS_A_BYTE = 0.002
/** A subject may make so many bytes in all of an input, and keep so many. */
const MADE_BYTES_BASE = 32 * 1024 * 1024
const MADE_BYTES_A_BYTE = 1024
const USUALLY_KEPT: KeptBytes = { base: 1.5 * 1024 * 1024, perByte: 8 }
const SLOW_TRIES = 3
const KEPT_TRIES = 5
const SETTLE_TRIES = 10
const SETTLED_BYTES = 64 * 1024
const STACK_LINES = 6

type Collection = 'minor' | 'major'

interface Outcome {
  readonly result: unknown
  readonly error: unknown
  readonly isBug: boolean
  readonly ms: number
  readonly madeBytes: number
}

/** The promise that the subject breaks, in words; undefined where it keeps all. */
export async function brokenPromise(target: FuzzTarget, input: Buffer): Promise<string | undefined> {
  const first = await attempt(target, input)
  if (first.isBug) return `throws what is no refusal: ${described(first.error)}`
  const msMax = target.ms ?? BASE_MS + input.length * MS_A_BYTE
  if (first.ms > msMax) {
    const ms = await leastMs(target, input, first.ms)
    if (ms > msMax) return `works for ${Math.round(ms)} ms on ${input.length} bytes`
  }
  const { base, perByte } = target.kept ?? USUALLY_KEPT
  const keptMax = base + input.length * perByte
  if (first.madeBytes <= keptMax) return undefined
  // The quick collection leaves some garbage: if what is left is little even so, the slow one would find less.
  const isLittle = (await keptBytes(target, input, 'minor')) <= keptMax
  const kept = isLittle ? 0 : await usualKeptBytes(target, input)
  if (kept > keptMax) return `keeps ${kept} bytes of memory for an input of ${input.length}`
  const madeMax = MADE_BYTES_BASE + input.length * MADE_BYTES_A_BYTE
  return first.madeBytes > madeMax
    ? `makes ${first.madeBytes} bytes of memory of an input of ${input.length}`
    : undefined
}

/**
 * Frees what the start of the process left behind: garbage of others that is collected while the first inputs run would
 * hide what they keep.
 */
export async function settle(): Promise<void> {
  let before = Number.POSITIVE_INFINITY
  for (let i = 0; i < SETTLE_TRIES && usedBytes() < before - SETTLED_BYTES; i++) {
    before = usedBytes()
    await collect('major')
  }
}

/** Accepted inputs show that a target's seeds are still what its subject reads. */
export async function isAccepted(target: FuzzTarget, input: Buffer): Promise<boolean> {
  return (await attempt(target, input)).error === undefined
}

async function attempt(target: FuzzTarget, input: Buffer): Promise<Outcome> {
  const before = usedBytes()
  const begin = process.cpuUsage()
  let result: unknown
  let error: unknown
  try {
    result = target.run(input)
    if (result instanceof Promise) result = await result
  } catch (thrown) {
    error = thrown ?? new Error('undefined was thrown')
  }
  const { user, system } = process.cpuUsage(begin)
  const ms = (user + system) / 1000
  const isBug = error !== undefined && !isRefusal(target, error)
  return { result, error, isBug, ms, madeBytes: usedBytes() - before }
}

/** A collection of garbage may have come in between: one slow run proves nothing. */
async function leastMs(target: FuzzTarget, input: Buffer, first: number): Promise<number> {
  let least = first
  for (let i = 0; i < SLOW_TRIES; i++) least = Math.min(least, (await attempt(target, input)).ms)
  return least
}

/**
 * Other threads compile code meanwhile, and what an earlier input made may be freed late: one measurement is too much or
 * too little now and then, but not most of them.
 */
async function usualKeptBytes(target: FuzzTarget, input: Buffer): Promise<number> {
  const measured: number[] = []
  for (let i = 0; i < KEPT_TRIES; i++) measured.push(await keptBytes(target, input, 'major'))
  return measured.sort((a, b) => a - b)[KEPT_TRIES >> 1]!
}

async function keptBytes(target: FuzzTarget, input: Buffer, type: Collection): Promise<number> {
  await collect(type)
  const before = usedBytes()
  const outcome = await attempt(target, input)
  await collect(type)
  const kept = usedBytes() - before
  // The outcome must be in use here, or its memory would be free already.
  return outcome.ms < 0 ? 0 : kept
}

/** A collection counts the memory of buffers as free a little later: the second one comes after that. */
async function collect(type: Collection): Promise<void> {
  const { gc } = globalThis as { readonly gc?: (options: { readonly type: Collection }) => void }
  if (gc === undefined) throw new Error('memory is measured with --expose-gc')
  gc({ type })
  if (type === 'minor') return
  await new Promise((resolve) => setImmediate(resolve))
  gc({ type })
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

function described(error: unknown): string {
  const { stack } = error as { readonly stack?: string }
  return stack === undefined ? String(error) : stack.split('\n').slice(0, STACK_LINES).join('\n')
}
