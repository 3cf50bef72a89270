import type { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { Call } from '../../../store/call.ts'
import type { ScannerPages } from './scanner-pages.ts'

/** Returns a handler for the error of a failed page, which throws that error. Before, it closes the scanner if that has lost rows. */
export function closedIfLost<Extra>(
  pages: ScannerPages,
  leases: ScannerLeases<Extra, ScannerPages>,
  id: number,
  call: Call,
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (pages.isLost) await leases.close(id, call)
    throw error
  }
}
