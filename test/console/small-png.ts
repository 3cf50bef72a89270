/** Rewrites a screenshot with a palette: pictures of pages have few colours, and take a third of the bytes so. */

import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLOURS_MAX = 64
/** The most frequent colours, which stay as they are. */
const COMMON = 16

interface Pixels {
  readonly width: number
  readonly height: number
  /** Colours as 24 bits. */
  readonly colours: Uint32Array
}

/** `png`: as Chromium writes it, with 8 bits a channel and without interlacing. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, colours } = decode(png)
  const palette = paletteOf(colours)
  const nearest = new Map(palette.map((colour, index) => [colour, index]))
  const lines = Buffer.alloc(height * (width + 1))
  for (let y = 0, at = 0; y < height; y++) {
    // The filter type none.
    at++
    for (let x = 0; x < width; x++) {
      const colour = colours[y * width + x]!
      let index = nearest.get(colour)
      if (index === undefined) {
        index = nearestOf(palette, colour)
        nearest.set(colour, index)
      }
      lines[at++] = index
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const bytes = Buffer.from(palette.flatMap((colour) => [colour >>> 16, (colour >>> 8) & 255, colour & 255]))
  const data = deflateSync(lines, { level: 9, memLevel: 9 })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', bytes),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function decode(png: Buffer): Pixels {
  const parts: Buffer[] = []
  let [width, height, channels] = [0, 0, 3]
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      width = body.readUInt32BE(0)
      height = body.readUInt32BE(4)
      channels = body[9] === 6 ? 4 : 3
    }
    if (type === 'IDAT') parts.push(body)
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  let before = Buffer.alloc(stride)
  const colours = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1)
    const line = raw.subarray(start + 1, start + 1 + stride)
    unfilter(raw[start]!, line, before, channels)
    for (let x = 0; x < width; x++) {
      const at = x * channels
      colours[y * width + x] = (line[at]! << 16) | (line[at + 1]! << 8) | line[at + 2]!
    }
    before = line
  }
  return { width, height, colours }
}

/** See RFC 2083, chapter 6. */
function unfilter(type: number, line: Buffer, before: Buffer, channels: number): void {
  for (let i = 0; i < line.length; i++) {
    const left = i < channels ? 0 : line[i - channels]!
    const up = before[i]!
    const upLeft = i < channels ? 0 : before[i - channels]!
    const predicted = [0, left, up, (left + up) >>> 1, type === 4 ? paeth(left, up, upLeft) : 0][type]!
    line[i] = (line[i]! + predicted) & 255
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const [a, b, c] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)]
  if (a <= b && a <= c) return left
  return b <= c ? up : upLeft
}

/** The most frequent colours that are not close to a more frequent one. */
function paletteOf(colours: Uint32Array): number[] {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour)
  const palette: number[] = []
  for (const colour of sorted) {
    if (palette.length === COLOURS_MAX) break
    if (palette.length < COMMON || palette.every((known) => distance(known, colour) > 200))
      palette.push(colour)
  }
  return palette
}

function nearestOf(palette: readonly number[], colour: number): number {
  const distances = palette.map((known) => distance(known, colour))
  return distances.indexOf(Math.min(...distances))
}

function distance(a: number, b: number): number {
  const [red, green, blue] = [
    (a >>> 16) - (b >>> 16),
    ((a >>> 8) & 255) - ((b >>> 8) & 255),
    (a & 255) - (b & 255),
  ]
  return red * red + green * green + blue * blue
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const chunked = Buffer.alloc(typed.length + 8)
  chunked.writeUInt32BE(body.length, 0)
  typed.copy(chunked, 4)
  chunked.writeUInt32BE(crc32(typed), typed.length + 4)
  return chunked
}
