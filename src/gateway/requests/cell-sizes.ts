import { HBaseError } from '../../model/errors.ts'

/**
 * The check that HBase's client makes before it sends a put: a door whose HBase server is such a client makes it too. `bytes`: of the
 * whole KeyValue. Throws ILLEGAL_ARGUMENT. HBase: ConnectionUtils.validatePut.
 */
export function checkPutSize(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new HBaseError('ILLEGAL_ARGUMENT', 'KeyValue size too large')
}
