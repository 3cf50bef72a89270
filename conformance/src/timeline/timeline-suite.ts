/** The cases of the timeline, recorded from Hadoop's own server, and the runner that asks any server the same. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dataFile } from '../data/package-files.ts'
import type { Case, RestRequest } from '../runner/case.ts'
import { printRestRequest } from '../runner/print-rest.ts'
import { printRecording, type Recording, readRecording } from '../runner/recording.ts'
import { RestClient } from '../runner/rest-client.ts'
import { NO_ANSWER } from '../runner/run-scenario.ts'
import { otherCases } from './other-cases.ts'
import { printTimelineAnswer } from './print-timeline.ts'
import { readCases } from './read-cases.ts'
import { writeCases } from './write-cases.ts'

/** In the order in which a server must be asked them, once, from its first start on. */
export const TIMELINE_CASES: readonly Case[] = [...writeCases, ...readCases, ...otherCases]

const RECORDING = fileURLToPath(dataFile('recordings/timeline.txt'))
const SERVER = 'hadoop 3.3.6'

/** Cases with other answers of Tidegate, and the reason. */
export interface Difference {
  readonly reason: string
  /** Tidegate's answers, by the cases' ids: `400 BadRequestException`. */
  readonly cases: Readonly<Record<string, string>>
}

export function readDifferences(): readonly Difference[] {
  return JSON.parse(readFileSync(dataFile('timeline-differences.json'), 'utf8')) as Difference[]
}

export function timelineRecording(): Recording {
  return readRecording(RECORDING, SERVER)
}

export function printTimelineRecording(exchanges: Recording): {
  readonly path: string
  readonly text: string
} {
  return { path: RECORDING, text: printRecording(exchanges, SERVER) }
}

/** Asks a server all cases. `url`: of the server, `http://127.0.0.1:8188`. */
export async function runTimeline(url: string, timeoutMs: number): Promise<Map<string, string>> {
  const client = new RestClient(url, timeoutMs)
  const exchanges = new Map<string, string>()
  try {
    for (const { id, requests } of TIMELINE_CASES) {
      const parts: string[] = []
      for (const request of requests as readonly RestRequest[]) {
        const answer = await client
          .send(request)
          .then(printTimelineAnswer, (error: unknown) => `${NO_ANSWER}${String(error)}`)
        parts.push(`${printRestRequest(request)}\n${answer}`)
      }
      exchanges.set(id, parts.join('\n').trimEnd())
    }
  } finally {
    client.close()
  }
  return exchanges
}
