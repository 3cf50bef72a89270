import { type RestDoorOptions, startRestDoor } from '../doors/rest/rest-door.ts'
import { openThriftServices } from '../doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../doors/thrift/thrift-door.ts'
import { startWebDoor } from '../doors/web/web-door.ts'
import type { Door, DoorAddress, DoorContext } from '../gateway/door.ts'
import { DOOR_NAMES, type DoorName, type ServeSettings } from './serve-options.ts'
import { packageVersion } from './version.ts'

type Doors = ReadonlyMap<DoorName, Door>
/** `doors`: the open doors; doors that open later are added to it. */
type StartDoor = (
  context: DoorContext,
  address: DoorAddress,
  doors: Doors,
  settings: RestDoorOptions,
) => Promise<Door>

/** A new door is a folder under doors/ and a line here. */
const STARTERS: Partial<Readonly<Record<DoorName, StartDoor>>> = {
  rest: (context, address, _, settings) => startRestDoor(context, address, settings),
  thrift: (context, address) => startThriftDoor(context, address, openThriftServices(context)),
  web: (context, address, doors) => startWebDoor(context, address, { doors, version: packageVersion() }),
}

/** Opens every door that is not off. If one cannot be opened, closes the others and throws. */
export async function openDoors(
  context: DoorContext,
  settings: Pick<ServeSettings, 'host' | 'ports'> & RestDoorOptions,
): Promise<Doors> {
  const doors = new Map<DoorName, Door>()
  try {
    for (const name of DOOR_NAMES) {
      const start = STARTERS[name]
      const port = settings.ports[name]
      if (start === undefined || port === 'off') continue
      doors.set(name, await start(context, { host: settings.host, port }, doors, settings))
    }
  } catch (error) {
    await Promise.all([...doors.values()].map((door) => door.close()))
    throw error
  }
  return doors
}
