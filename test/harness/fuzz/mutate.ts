/**
 * Damaged inputs from good ones, as a seed decides. The mutations know no format, but what formats have in common:
 * lengths before what they measure, varints, decimal numbers, parts that repeat and nest.
 */

import { SimRandom } from '../simulation/sim-random.ts'
import { edgeInteger, edgeText, edgeVarint } from './boundaries.ts'

/** Bytes of a mutated input, at most; enough to show what grows faster than its input. */
export const INPUT_BYTES_MAX: number = 256 * 1024
const PART_BYTES_MAX = 64
const LENGTH_TRIES = 20
const OPENERS = ['[', '{"a":', '(', '<a>', '{', '"', '/*', '((?:', '%', '\\'] as const
const STRANGE_BYTES = [0x00, 0x01, 0x0a, 0x20, 0x22, 0x27, 0x7f, 0x80, 0xc0, 0xed, 0xfe, 0xff] as const

type Mutation = (input: Buffer, random: SimRandom, other: Buffer) => Buffer

/** The input of a seed: the same for the same seeds of the target. */
export function inputOf(seed: number, examples: readonly Buffer[]): Buffer {
  const random = new SimRandom(seed)
  let input = random.of(examples)
  // A few inputs stay as they are: what a target does with good input is watched too.
  const mutations = random.chance(0.02) ? 0 : 1 + random.below(random.chance(0.2) ? 10 : 3)
  for (let i = 0; i < mutations; i++) {
    const mutated = random.of(MUTATIONS)(input, random, random.of(examples))
    if (mutated.length <= INPUT_BYTES_MAX) input = mutated
  }
  return Buffer.from(input)
}

/** [start, end) of a part, more often short than long. */
function partOf(input: Buffer, random: SimRandom): readonly [start: number, end: number] {
  const start = random.below(input.length + 1)
  const bytesMax = random.chance(0.8) ? Math.min(PART_BYTES_MAX, input.length - start) : input.length - start
  return [start, start + random.below(bytesMax + 1)]
}

/** `input` with [start, end) replaced. */
function replaced(input: Buffer, start: number, end: number, part: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, start), part, input.subarray(end)])
}

function overwritten(input: Buffer, at: number, part: Buffer): Buffer {
  return replaced(input, at, Math.min(at + part.length, input.length), part)
}

const flipBits: Mutation = (input, random) => {
  const flipped = Buffer.from(input)
  if (input.length === 0) return flipped
  for (let left = 1 + random.below(4); left > 0; left--)
    flipped[random.below(input.length)]! ^= 1 << random.below(8)
  return flipped
}

const strangeByte: Mutation = (input, random) => {
  const at = random.below(input.length + 1)
  return replaced(input, at, at + random.below(2), Buffer.of(random.of(STRANGE_BYTES)))
}

const cutEnd: Mutation = (input, random) => input.subarray(0, random.below(input.length + 1))

const cutPart: Mutation = (input, random) => {
  const [start, end] = partOf(input, random)
  return replaced(input, start, end, Buffer.alloc(0))
}

const doublePart: Mutation = (input, random) => {
  const [start, end] = partOf(input, random)
  return replaced(input, start, start, input.subarray(start, end))
}

/** As often as the greatest input allows, or some hundred times: shows what counts too late, and what nests too deep. */
const repeatPart: Mutation = (input, random) => {
  const [start, end] = partOf(input, random)
  const part = input.subarray(start, end)
  const room = INPUT_BYTES_MAX - input.length
  if (part.length === 0 || part.length > room) return input
  const times = random.chance(0.5) ? Math.floor(room / part.length) : 1 + random.below(300)
  const repeated = Buffer.alloc(Math.min(room, part.length * times), part)
  return replaced(input, start, start, repeated)
}

const splice: Mutation = (input, random, other) => {
  const [start, end] = partOf(input, random)
  const [from, to] = partOf(other, random)
  return replaced(input, start, end, other.subarray(from, to))
}

const joinMessages: Mutation = (input, random, other) => {
  const first = input.subarray(0, random.below(input.length + 1))
  return Buffer.concat([first, other.subarray(random.below(other.length + 1))])
}

const edgeNumber: Mutation = (input, random) =>
  overwritten(input, random.below(input.length + 1), edgeInteger(random))

/** Replaces what may be a length: four bytes that state no more than what follows them. */
const wrongLength: Mutation = (input, random) => {
  for (let tries = 0; tries < LENGTH_TRIES && input.length > 4; tries++) {
    const at = random.below(input.length - 3)
    const length = input.readInt32BE(at)
    if (length < 0 || length > input.length - at - 4) continue
    const wrong = Buffer.alloc(4)
    wrong.writeInt32BE(random.of([length - 1, length + 1, length * 2, input.length, -1, 0, 0x7fffffff]))
    return overwritten(input, at, wrong)
  }
  return input
}

const wrongVarint: Mutation = (input, random) => {
  const at = random.below(input.length + 1)
  let end = at
  while (end < input.length && input[end]! >= 0x80) end++
  return replaced(input, at, Math.min(end + 1, input.length), edgeVarint(random))
}

const wrongDecimal: Mutation = (input, random) => {
  const numbers = [...input.toString('latin1').matchAll(/-?\d+/g)]
  if (numbers.length === 0) return input
  const { index, 0: digits } = random.of(numbers)
  return replaced(input, index, index + digits.length, Buffer.from(edgeText(random)))
}

/** Puts a part into many more brackets, which may close again. */
const nestDeeper: Mutation = (input, random) => {
  const [start, end] = partOf(input, random)
  const times = random.of([10, 70, 200, 20_000])
  const opener = random.of(OPENERS)
  const closer = { '[': ']', '{"a":': '}', '(': ')', '<a>': '</a>', '{': '}' }[opener as string] ?? ''
  const isClosed = random.chance(0.7)
  const inner = input.subarray(start, end)
  const nested = [Buffer.from(opener.repeat(times)), inner, Buffer.from(isClosed ? closer.repeat(times) : '')]
  return replaced(input, start, end, Buffer.concat(nested))
}

const MUTATIONS: readonly Mutation[] = [
  flipBits,
  strangeByte,
  cutEnd,
  cutPart,
  doublePart,
  repeatPart,
  splice,
  joinMessages,
  edgeNumber,
  wrongLength,
  wrongVarint,
  wrongDecimal,
  nestDeeper,
]
