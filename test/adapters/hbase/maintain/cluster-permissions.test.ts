import { expect, test } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { ClusterPermissions } from '../../../../adapters/hbase/maintain/cluster-permissions.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { FakeServers } from './fake-servers.ts'

const ANN = { ...OWN_CALL, principal: { user: 'ann' }, isOwn: false }
const WITH_CONTROLLER = { capabilities: [2] }

function permissions(fake: FakeServers, knowsUsers: boolean): ClusterPermissions {
  return new ClusterPermissions(new Master(fake.cluster, () => 0.5), knowsUsers)
}

test('an operation of administrators is refused with the message of a cluster that knows the user', async () => {
  const fake = new FakeServers([])
  fake.master.answers.push(WITH_CONTROLLER, { hasUserPermission: [false] })
  await expect(permissions(fake, true).requireAdmin(ANN)).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
    message: "Insufficient permissions for user 'ann' (global, action=ADMIN)",
  })
  fake.master.answers.push(WITH_CONTROLLER, { hasUserPermission: [true] })
  await permissions(fake, true).requireAdmin(ANN)
})

test('a cluster without permissions, and one that knows only Tidegate, refuses no user', async () => {
  const fake = new FakeServers([])
  fake.master.answers.push({ capabilities: [] })
  await permissions(fake, true).requireAdmin(ANN)
  await permissions(fake, false).requireAdmin(ANN)
  expect(fake.master.asked.map(({ method }) => method)).toEqual(['getSecurityCapabilities'])
})
