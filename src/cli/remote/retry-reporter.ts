import { printProgress } from '../terminal/print-lines.ts'

/** Prints why a call to the server is made again, each reason once. */
export function retryReporter(server: string): (reason: string) => void {
  const printed = new Set<string>()
  return (reason) => {
    if (printed.has(reason)) return
    printed.add(reason)
    printProgress(`${server}: ${reason}; trying again`)
  }
}
