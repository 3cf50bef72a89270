/** Samplers decide which traces are recorded. They have OpenTelemetry's names. */

/** True where the trace is recorded. `parent`: whether the caller records it; undefined: the trace begins here. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean

export const SAMPLER_NAMES = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof SAMPLER_NAMES)[number]

const PARENT_BASED = 'parentbased_'
/** Digits of a trace id that decide. W3C asks for randomness in the last 14; a double holds 13 exactly. */
const RANDOM_DIGITS = 13

/** `ratio`: for the samplers that have one, from 0 to 1. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  if (!name.startsWith(PARENT_BASED)) return (traceId) => rootOf(name, ratio)(traceId)
  const root = rootOf(name.slice(PARENT_BASED.length), ratio)
  return (traceId, parent) => parent ?? root(traceId)
}

/** The sampler of traces that begin here. The id decides, so that all servers decide alike about one trace. */
function rootOf(name: string, ratio: number): (traceId: string) => boolean {
  if (name === 'always_on') return () => true
  if (name === 'always_off') return () => false
  const threshold = (1 - ratio) * 16 ** RANDOM_DIGITS
  return (traceId) => Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= threshold
}
