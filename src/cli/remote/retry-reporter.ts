import { printProgress } from '../terminal/print-lines.ts'

/**
 * Prints why a call to the server is made again, each reason once. `afterMs`: not before calls have been made again for so long. A server that starts
 * just now is worth no line.
 */
export function retryReporter(server: string, afterMs = 0): (reason: string) => void {
  const printed = new Set<string>()
  let since: number | undefined
  return (reason) => {
    since ??= performance.now()
    if (printed.has(reason) || performance.now() - since < afterMs) return
    printed.add(reason)
    printProgress(`${server}: ${reason}; trying again`)
  }
}
