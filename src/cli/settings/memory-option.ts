import { Option } from 'commander'
import { parseBytes } from '../flags/byte-size.ts'
import { defaultMemoryMax } from '../machine/memory-shares.ts'

export function memoryMaxOption(): Option {
  return new Option('--memory-max <size>', 'memory of the whole process: bytes, or 512m, 2g')
    .env('TIDEGATE_MEMORY_MAX')
    .argParser(parseBytes)
    .default(defaultMemoryMax(), 'three quarters of a container, half of a machine')
}
