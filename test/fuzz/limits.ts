import { DEFAULT_LIMITS, type Limits } from '../../src/gateway/limits/limits.ts'

/** Limits that the inputs of a fuzzer reach. */
export const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  requestBytesMax: 1024 * 1024,
  batchMax: 500,
  elementsMax: 2000,
  depthMax: 32,
}
