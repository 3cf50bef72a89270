/** A day of 200 series: four processors of fifty machines. Made up, and the same each time. */

import type { Point } from './row-format.ts'

/** 2013-01-01, in seconds since 1970. */
export const DAY_START = 1_356_998_400
export const DAY_SECONDS = 86_400

export interface Series {
  readonly tags: Readonly<Record<string, string>>
  readonly points: readonly Point[]
}

const WEB_SERVERS = 30
const DATABASES = 20
const PROCESSORS = 4

/** `every`: seconds between two points. */
export function daySeries(every: number): Series[] {
  const hosts = [...numbered('web', WEB_SERVERS), ...numbered('db', DATABASES)]
  return hosts.flatMap((host, number) =>
    Array.from({ length: PROCESSORS }, (_, cpu) => ({
      tags: tagsOf(host, cpu),
      points: pointsOf(number, cpu, every),
    })),
  )
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}${String(i + 1).padStart(2, '0')}`)
}

/** Only databases say in which data centre they are. */
function tagsOf(host: string, cpu: number): Readonly<Record<string, string>> {
  const tags = { host, cpu: String(cpu) }
  return host.startsWith('db') ? { ...tags, dc: 'lga' } : tags
}

/** The first machine measures between seconds. */
function pointsOf(host: number, cpu: number, every: number): Point[] {
  const offset = host === 0 ? 123 : 0
  return Array.from({ length: Math.ceil(DAY_SECONDS / every) }, (_, i) => ({
    time: (DAY_START + i * every) * 1000 + offset,
    value: load((i * every) / DAY_SECONDS, host, cpu),
  }))
}

/** Up to noon and down again, web servers more than databases; some machines are busier than others. */
function load(partOfDay: number, host: number, cpu: number): number {
  const rise = 1 - Math.abs(2 * partOfDay - 1)
  const most = host < WEB_SERVERS ? 80 : 30
  return Math.round(5 + most * rise + ((host * 7 + cpu * 3) % 10))
}
