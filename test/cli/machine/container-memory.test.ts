import { expect, test } from 'vitest'
import { containerMemoryMax } from '../../../src/cli/machine/container-memory.ts'

const MIB = 1024 * 1024
/** Version 1 has this number where a group has no limit. */
const NO_LIMIT_V1 = '9223372036854771712\n'
const V1_MOUNT = '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory'
const V2_MOUNT =
  '30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate'
const V1_GROUPS = `9:name=systemd:/
5:devices:/
4:memory:/process_api/82738a
3:cpuset:/
0::/
`

function limitOf(files: Readonly<Record<string, string>>): number | undefined {
  return containerMemoryMax((path) => files[path])
}

test.each<[string, Record<string, string>, number | undefined]>([
  [
    'version 2, in a namespace, as of Docker and Kubernetes: the group is the root',
    {
      '/proc/self/cgroup': '0::/\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/memory.max': `${512 * MIB}\n`,
      '/sys/fs/cgroup/memory.high': 'max\n',
    },
    512 * MIB,
  ],
  [
    'version 2 without a limit',
    {
      '/proc/self/cgroup': '0::/user.slice/user-0.slice/session-1.scope\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/user.slice/user-0.slice/session-1.scope/memory.max': 'max\n',
      '/sys/fs/cgroup/user.slice/memory.max': 'max\n',
    },
    undefined,
  ],
  [
    'version 2, nested: the group of the service has no limit, and the slice around it has one',
    {
      '/proc/self/cgroup': '0::/db.slice/db-small.slice/tidegate.service\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/db.slice/db-small.slice/tidegate.service/memory.max': 'max\n',
      '/sys/fs/cgroup/db.slice/db-small.slice/memory.max': `${384 * MIB}\n`,
      '/sys/fs/cgroup/db.slice/memory.max': `${1024 * MIB}\n`,
    },
    384 * MIB,
  ],
  [
    'version 2 with a limit at which the kernel slows the group down',
    {
      '/proc/self/cgroup': '0::/tidegate.service\n',
      '/sys/fs/cgroup/tidegate.service/memory.max': `${1024 * MIB}\n`,
      '/sys/fs/cgroup/tidegate.service/memory.high': `${768 * MIB}\n`,
    },
    768 * MIB,
  ],
  [
    'version 1 without a limit, beside version 2 without the controller of memory',
    {
      '/proc/self/cgroup': V1_GROUPS,
      '/proc/self/mountinfo': `${V1_MOUNT}\n41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n`,
      '/sys/fs/cgroup/memory/process_api/82738a/memory.limit_in_bytes': NO_LIMIT_V1,
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': NO_LIMIT_V1,
    },
    Number(NO_LIMIT_V1),
  ],
  [
    'version 1, nested: the group around it has the limit',
    {
      '/proc/self/cgroup': V1_GROUPS,
      '/proc/self/mountinfo': V1_MOUNT,
      '/sys/fs/cgroup/memory/process_api/82738a/memory.limit_in_bytes': NO_LIMIT_V1,
      '/sys/fs/cgroup/memory/process_api/memory.limit_in_bytes': `${256 * MIB}\n`,
    },
    256 * MIB,
  ],
  [
    'version 1, in a container of Docker: the path is that of the machine, and the mount shows the group alone',
    {
      '/proc/self/cgroup': '11:cpuset,memory:/docker/0123abcd\n0::/docker/0123abcd\n',
      '/proc/self/mountinfo':
        '700 690 0:29 /docker/0123abcd /sys/fs/cgroup/memory ro,nosuid,nodev,noexec,relatime - cgroup cgroup rw,memory',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${512 * MIB}\n`,
    },
    512 * MIB,
  ],
  [
    'version 1, where memory.stat alone has the limit of a group that is not seen',
    {
      '/proc/self/cgroup': '4:memory:/\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': NO_LIMIT_V1,
      '/sys/fs/cgroup/memory/memory.stat': `cache 0\nrss 0\nhierarchical_memory_limit ${300 * MIB}\ntotal_rss 0\n`,
    },
    300 * MIB,
  ],
  [
    'a path outside of the namespace: that of a process which another group has started',
    {
      '/proc/self/cgroup': '0::/../other\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/memory.max': `${128 * MIB}\n`,
    },
    128 * MIB,
  ],
  ['a system without control groups', {}, undefined],
])('the limit of %s', (_, files, limit) => {
  expect(limitOf(files)).toBe(limit)
})
