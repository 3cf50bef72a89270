/** Multis of very many actions, as no client makes them. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { OWN_CALL } from '../../src/store/call.ts'
import {
  ClientService,
  MutationProto_MutationType,
  type RegionActionSchema,
} from '../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../src/wire/rpc/gen/hbase_pb.ts'
import { FAMILY, numbered, QUALIFIER, ROWS } from './attacked-table.ts'
import { frameOf, rawCall } from './raw-call.ts'
import type { Attacked, HostileRequest } from './scene.ts'

type RegionAction = MessageInitShape<typeof RegionActionSchema>
type Action = NonNullable<RegionAction['action']>[number]

const { INCREMENT, PUT } = MutationProto_MutationType
const ACTIONS = 100_000
const ONE = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])
const NO_FAMILY = Buffer.from('none')

function changeOf(
  row: Buffer,
  mutateType: MutationProto_MutationType,
  value: Buffer,
  family: Buffer = FAMILY,
): NonNullable<Action['mutation']> {
  return { row, mutateType, columnValue: [{ family, qualifierValue: [{ qualifier: QUALIFIER, value }] }] }
}

interface Region {
  readonly type: RegionSpecifier_RegionSpecifierType
  readonly value: Buffer
}

/** `part`: the number of the actions. */
async function sends(
  attacked: Attacked,
  regionActions: (region: Region, count: number) => RegionAction[],
): Promise<string> {
  const [first] = await attacked.store.catalog.regions(attacked.table, OWN_CALL)
  const region = { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: first!.name }
  const count = Math.min(ACTIONS, attacked.sizes.counters)
  const regionAction = regionActions(region, count)
  return rawCall(attacked, frameOf(ClientService.method.multi, { regionAction, nonceGroup: 7n }))
}

function multi(name: string, action: (index: number) => Action): HostileRequest {
  return {
    name: `Multi: ${name}`,
    send: (attacked) =>
      sends(attacked, (region, count) => [
        { region, action: Array.from({ length: count }, (_, index) => ({ index, ...action(index) })) },
      ]),
  }
}

function increment(index: number): Action {
  const mutation = changeOf(numbered('counted', index % 1000), INCREMENT, ONE)
  return { mutation: { ...mutation, nonce: BigInt(index + 1) } }
}

export const MULTIS: readonly HostileRequest[] = [
  multi('100,000 increments, each with a nonce', increment),
  multi('the same 100,000 increments again', increment),
  multi('100,000 puts', (index) => ({ mutation: changeOf(numbered('row', index), PUT, QUALIFIER) })),
  multi('100,000 puts to a family that is not there', (index) => ({
    mutation: changeOf(numbered('row', index), PUT, QUALIFIER, NO_FAMILY),
  })),
  multi('100,000 puts, every second one fails', (index) => ({
    mutation: changeOf(numbered('row', index), PUT, QUALIFIER, index % 2 === 0 ? FAMILY : NO_FAMILY),
  })),
  multi('100,000 gets', (index) => ({ get: { row: numbered('row', index % 50_000) } })),
  multi('100,000 gets of one row', () => ({ get: { row: ROWS.small } })),
  multi('100,000 gets of a family that is not there', () => ({
    get: { row: ROWS.small, column: [{ family: NO_FAMILY }] },
  })),
  multi('100,000 questions whether a row is there', () => ({
    get: { row: ROWS.small, existenceOnly: true },
  })),
  multi('100,000 actions of nothing', () => ({})),
  {
    name: 'Multi: 100,000 puts of one row in one change',
    send: (attacked) =>
      sends(attacked, (region, count) => [
        {
          region,
          atomic: true,
          action: Array.from({ length: count }, (_, index) => ({
            index,
            mutation: changeOf(ROWS.counters, PUT, ONE),
          })),
        },
      ]),
  },
  {
    name: 'Multi: 100,000 times a region, a get each',
    send: (attacked) =>
      sends(attacked, (region, count) =>
        Array.from({ length: count }, () => ({ region, action: [{ index: 0, get: { row: ROWS.small } }] })),
      ),
  },
  {
    name: 'Multi: 100,000 regions that are not there',
    send: (attacked) =>
      sends(attacked, (region, count) =>
        Array.from({ length: count }, (_, index) => ({
          region: { ...region, value: Buffer.from(`none,${index},1.0123456789abcdef0123456789abcdef.`) },
          action: [{ index: 0, get: { row: ROWS.small } }],
        })),
      ),
  },
]
