import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { loadSchema } from '../../wire/thrift/idl-files.ts'
import type { ThriftService } from './thrift-service.ts'
import type { DeclaredService } from './transport/method-table.ts'
import { ThriftListener } from './transport/thrift-listener.ts'

/** Thrift 1 and Thrift 2 over one store. */
export interface ThriftDoorServices {
  readonly thrift1: ThriftService
  readonly thrift2: ThriftService
  /** Closes the scanners that clients have left open. */
  close(): Promise<void>
}

/** Both services, in every dialect of Thrift, on one port. */
export async function startThriftDoor(
  context: Pick<
    DoorContext,
    'limits' | 'memory' | 'decoding' | 'descriptorsMax' | 'certificates' | 'guard' | 'logger' | 'access'
  >,
  address: DoorAddress,
  services: ThriftDoorServices,
): Promise<Door> {
  const listener = new ThriftListener({
    services: [declared('thrift1', services.thrift1), declared('thrift2', services.thrift2)],
    ...context,
  })
  for (const { name, openScanners } of [services.thrift1, services.thrift2]) {
    if (openScanners !== undefined) listener.counters.scanners(name, openScanners)
  }
  const port = await listener.listen(address)
  return {
    port,
    counters: listener.counters,
    close: async () => {
      await listener.close()
      await services.close()
    },
  }
}

function declared(idl: 'thrift1' | 'thrift2', service: ThriftService): DeclaredService {
  const schema = loadSchema(idl).services.get(service.name)
  if (schema === undefined) throw new TypeError(`idl/${idl}.thrift declares no ${service.name}`)
  return { schema, service }
}
