/** The calls of a scan that stays open. */

import { LAST_SCANNER, type RpcFields, type RpcRequest, rpc } from '../runner/case.ts'
import { region } from './rpc-requests.ts'

export const TABLE = 'conf_rpc_scan'

export const call = (message: RpcFields, withoutCodec = false): RpcRequest =>
  rpc('ClientService', 'Scan', message, { withoutCodec })

/** Fields that Java's client of 2.x states in each call. */
export const MODERN = { clientHandlesPartials: true, clientHandlesHeartbeats: true }

export function open(scan: RpcFields, more: RpcFields = {}, row = ''): RpcRequest {
  return call({ region: region(TABLE, row), scan, ...more })
}
export function next(numberOfRows: number, more: RpcFields = {}): RpcRequest {
  return call({ scannerId: LAST_SCANNER, numberOfRows, ...more })
}
export const close: RpcRequest = call({ scannerId: LAST_SCANNER, closeScanner: true, numberOfRows: 0 })
