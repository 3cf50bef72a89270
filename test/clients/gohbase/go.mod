module tidegate/gohbase

go 1.25.0

require github.com/tsuna/gohbase v0.0.0-20260613001017-cfe2cb9e6df3
