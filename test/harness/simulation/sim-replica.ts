/** A second store that gets the changes of the simulated one by the senders of replication, over a peer in memory. It ends with the same cells, of replicated families. */

import { strict as assert } from 'node:assert'
import { replicatedFamilies } from '../../../src/replication/chosen-changes.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { peerHold } from '../../../src/store/peer-hold.ts'
import { checkLoss } from './hold-losses.ts'
import { SimPeer } from './sim-peer.ts'
import { SimSender } from './sim-sender.ts'
import { dumpTable, SIM_TABLE, type SimWorld } from './sim-world.ts'

const PEER = '1'
const TURNS_MAX = 40

interface Replica {
  /** SimWorld.histories when the peer was added. */
  readonly histories: number
  readonly peer: SimPeer
  readonly keepBytes: number
  /** Of the disk, when the hold was made. */
  readonly refusals: number
}

const replicas = new WeakMap<SimWorld, Replica>()
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Sends what is new, beside writes, and through a crash of either store. */
export async function replicate(world: SimWorld): Promise<void> {
  const { random } = world
  const replica = replicas.get(world)
  if (replica === undefined || replica.histories !== world.histories) return addPeer(world)
  const fate = random.of(['none', 'none', 'kill', 'power loss'] as const)
  if (fate !== 'none') {
    await sendUntilCrash(world, replica, fate)
    await world.settle()
  }
  const sender = await SimSender.start(world, PEER, replica)
  const { outcome } = world.burst(random.below(5))
  await outcome
  const loss = await sender.caughtUp()
  await sender.stop()
  if (loss !== undefined) {
    checkLoss(loss, world, replica.refusals)
    return addPeer(world)
  }
  await compare(world, replica.peer)
}

async function sendUntilCrash(world: SimWorld, replica: Replica, fate: 'kill' | 'power loss'): Promise<void> {
  const { random } = world
  const sender = await SimSender.start(world, PEER, replica)
  const { outcome } = world.burst(random.below(5))
  for (let turns = random.below(TURNS_MAX); turns > 0; turns--) await nextTurn()
  sender.die()
  if (fate === 'kill') world.kill()
  else world.losePower()
  await outcome
  await sender.stop()
  await world.open()
}

/** As an operator does: the peer is removed, added again, and gets a copy of the table. */
async function addPeer(world: SimWorld): Promise<void> {
  const changes = world.store.upkeep.changes!
  await changes.releaseLog(peerHold(PEER), OWN_CALL)
  await replicas.get(world)?.peer.close()
  replicas.delete(world)
  if (world.random.chance(0.1)) return
  const keepBytes = world.random.of([700, 1 << 30, 1 << 30])
  await changes.holdLog(peerHold(PEER), undefined, keepBytes, OWN_CALL)
  const peer = await SimPeer.open(world)
  const { refusals } = world.fileSystem
  replicas.set(world, { histories: world.histories, peer, keepBytes, refusals })
  await peer.copyFrom(world.store)
  await compare(world, peer)
}

async function compare(world: SimWorld, peer: SimPeer): Promise<void> {
  const scopes = replicatedFamilies(await world.store.catalog.table(SIM_TABLE, OWN_CALL)).map(String)
  const isSent = (line: string): boolean => scopes.includes(line.split('/')[1]!)
  const [here, there] = [await dumpTable(world.store), await dumpTable(peer.store)]
  assert.deepEqual(there.filter(isSent), here.filter(isSent), 'the cells of the replica')
}
