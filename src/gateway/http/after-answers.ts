import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Acts once the answers to earlier requests of a connection are written, at once where none is due. An answer that
 * overtook an earlier one would be taken for the answer to another request.
 */
export function afterAnswers(connection: Duplex, act: () => void): void {
  const { _httpMessage: underWay } = connection as { _httpMessage?: ServerResponse | null }
  if (underWay) underWay.once('close', () => afterAnswers(connection, act))
  else act()
}
