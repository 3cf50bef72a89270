import type { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { Call } from '../../../store/call.ts'
import type { ScannerPages } from './scanner-pages.ts'

/** Closes the scanner after a failed page, where it is lost by that, and throws the page's error. */
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
