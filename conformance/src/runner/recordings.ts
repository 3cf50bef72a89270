import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dataFile } from '../data/package-files.ts'
import type { Scenario } from './case.ts'
import { printRecording, type Recording, readRecording } from './recording.ts'

const FOLDER = fileURLToPath(dataFile('recordings/'))

function recordingFile(scenario: Scenario): string {
  return `${FOLDER}${scenario.name}.txt`
}

export function recordingOf(scenario: Scenario): Recording {
  return readRecording(recordingFile(scenario))
}

export function writeRecording(scenario: Scenario, recording: Recording): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(recordingFile(scenario), printRecording(recording))
}
