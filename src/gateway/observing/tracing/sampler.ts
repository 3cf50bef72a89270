/** Samplers by OpenTelemetry's names. */

/** Whether a trace is recorded. `parent`: whether its caller records it; undefined: it begins here. */
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
/** Of a trace id: W3C asks for randomness in the last 14; a double holds 13 exactly. */
const RANDOM_DIGITS = 13

/** `ratio`: of the samplers with a ratio, from 0 to 1. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  if (!name.startsWith(PARENT_BASED)) return (traceId) => rootOf(name, ratio)(traceId)
  const root = rootOf(name.slice(PARENT_BASED.length), ratio)
  return (traceId, parent) => parent ?? root(traceId)
}

/** All servers that see a trace decide alike, for its id decides. */
function rootOf(name: string, ratio: number): (traceId: string) => boolean {
  if (name === 'always_on') return () => true
  if (name === 'always_off') return () => false
  const threshold = (1 - ratio) * 16 ** RANDOM_DIGITS
  return (traceId) => Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= threshold
}
