import { giveBack } from '../../../gateway/reads/loans.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Results } from '../../../model/results.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import type { RpcAnswer, RpcHandler, RpcRequest } from '../contract/rpc-service.ts'
import { readInTurns } from '../messages/read-in-turns.ts'
import { type GetMessage, readGet } from '../messages/read-query.ts'
import { cellsInSteps, writeCells, writeCount, writeExistence } from '../messages/write-result.ts'
import { isStale } from '../regions/copies.ts'
import { readRegionSpecifier } from '../regions/read-region.ts'
import type { RegionSpecifier } from '../regions/region-specifier.ts'
import { asRegionServer, type ClientContext } from './client-context.ts'
import { LARGE_BYTES } from './scan-results.ts'

/** HBase: RSRpcServices.get. */
export function getHandler({ store, limits, regions }: ClientContext): RpcHandler {
  const getLimits = { bytes: limits.responseBytesMax }
  return async (request) => {
    const read = readInTurns(request.parameter, () => readRequest(request))
    const { region, get } = read instanceof Promise ? await read : read
    const { call, release } = request
    const wanted = get.existenceOnly ? { ...get.get, existenceOnly: true } : get.get
    const found = regions.ref(region, call)
    // An await costs time even where nothing is to be waited for.
    const target = found instanceof Promise ? await found : found
    const takesCellBlocks = request.takesCellBlocks && release.takesBlocksOfGets
    const asked = { takesCellBlocks, existenceOnly: get.existenceOnly, isStale: isStale(target) }
    const again = async (): Promise<RpcAnswer> => {
      let results: Results
      try {
        results = await store.rows.get(target, [wanted], getLimits, call)
      } catch (error) {
        throw asRegionServer(error, target)
      }
      return answer(results, asked, { release: () => giveBack(store.handouts, results), again })
    }
    return again()
  }
}

function readRequest({ parameter: reader, takesTags }: RpcRequest): {
  readonly region: RegionSpecifier
  readonly get: GetMessage
} {
  let region: RegionSpecifier | undefined
  let get: GetMessage | undefined
  while (reader.next()) {
    if (reader.field === Field.GetRequest.region) region = readRegionSpecifier(reader.message())
    else if (reader.field === Field.GetRequest.get) get = readGet(reader.message(), takesTags)
    else reader.skip()
  }
  if (region === undefined || get === undefined) {
    throw new HBaseError('DO_NOT_RETRY', 'Message missing required fields: region, get')
  }
  return { region, get }
}

interface Asked extends Pick<RpcRequest, 'takesCellBlocks'> {
  readonly existenceOnly: boolean
  readonly isStale: boolean
}

function answer(
  { cells, counts }: Results,
  { existenceOnly, takesCellBlocks, isStale: stale }: Asked,
  parts: Pick<RpcAnswer, 'release' | 'again'>,
): RpcAnswer {
  const field = Field.GetResponse.result
  const count = counts[0] ?? 0
  const write = (writer: MessageWriter): void => {
    if (existenceOnly) writeExistence(writer, field, count > 0, stale)
    else if (takesCellBlocks) writeCount(writer, field, count, stale)
    else writeCells(writer, field, cells, { isStale: stale })
  }
  if (existenceOnly) return { write, ...parts }
  if (takesCellBlocks) return { write, cells: [cells], ...parts }
  const { byteLength: bytes } = cells
  if (bytes < LARGE_BYTES) return { write, bytes, ...parts }
  return {
    write,
    writeInSteps: (writer) => cellsInSteps(writer, field, cells, { isStale: stale }),
    bytes,
    ...parts,
  }
}
