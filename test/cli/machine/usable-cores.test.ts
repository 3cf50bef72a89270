import { expect, test } from 'vitest'
import { usableCores } from '../../../src/cli/machine/usable-cores.ts'

const V1_MOUNT = '36 31 0:33 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct'
const V2_MOUNT = '30 23 0:26 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw'

test.each<[string, Record<string, string>, number]>([
  ['no control groups', {}, 8],
  [
    'version 2 without a quota',
    {
      '/proc/self/cgroup': '0::/\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/cpu.max': 'max 100000\n',
    },
    8,
  ],
  [
    'version 2, as of a container with 2.5 cores',
    {
      '/proc/self/cgroup': '0::/\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/cpu.max': '250000 100000\n',
    },
    2.5,
  ],
  [
    'version 2, nested: the least quota counts',
    {
      '/proc/self/cgroup': '0::/db.slice/tidegate.service\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/db.slice/tidegate.service/cpu.max': '600000 100000\n',
      '/sys/fs/cgroup/db.slice/cpu.max': '200000 50000\n',
    },
    4,
  ],
  [
    'version 1',
    {
      '/proc/self/cgroup': '4:cpu,cpuacct:/c\n',
      '/proc/self/mountinfo': V1_MOUNT,
      '/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us': '150000\n',
      '/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    },
    1.5,
  ],
  [
    'a quota above the machine',
    {
      '/proc/self/cgroup': '0::/\n',
      '/proc/self/mountinfo': V2_MOUNT,
      '/sys/fs/cgroup/cpu.max': '6400000 100000\n',
    },
    8,
  ],
  [
    'a quota that makes no sense',
    { '/proc/self/cgroup': '0::/\n', '/proc/self/mountinfo': V2_MOUNT, '/sys/fs/cgroup/cpu.max': '5 0\n' },
    8,
  ],
])('%s', (_, files, cores) => {
  expect(usableCores(8, (path) => files[path])).toBe(cores)
})
