import { memoryUsage } from 'node:process'

/** NaN where the system does not say: Linux without /proc, as in a root file system of its own. */
export function residentBytes(read: () => number = () => memoryUsage.rss()): number {
  try {
    return read()
  } catch {
    return Number.NaN
  }
}
