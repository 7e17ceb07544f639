// How far a backtest is, on one line of a terminal; a log or a pipe gets nothing.

export interface Progress {
  show(text: string, share: number): void
  /** Takes the line away. */
  end(): void
}

const WIDTH = 24

/** Writes to a terminal only. */
export function createProgress(stream: { isTTY?: boolean; write(text: string): unknown }): Progress {
  if (stream.isTTY !== true) return { show: () => {}, end: () => {} }
  return {
    show(text, share) {
      const done = Math.round(WIDTH * Math.min(1, Math.max(0, share)))
      stream.write(`\r\u001b[K[${'█'.repeat(done)}${' '.repeat(WIDTH - done)}] ${text}`)
    },
    end: () => void stream.write('\r\u001b[K'),
  }
}
