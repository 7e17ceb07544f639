// Prints the demo's log as readable lines, and records it for the checks.
import { words } from '../../rules/explain/explain.ts'
import { colours, plain } from '../output/terminal-text.ts'

export interface LogLine {
  event?: string
  [key: string]: unknown
}

export function createNarrator(write: (text: string) => void) {
  const started = performance.now()
  const heard: LogLine[] = []
  const say = (sentence: string) =>
    write(`${colours.dim(`${((performance.now() - started) / 1000).toFixed(2).padStart(6)}s`)}  ${sentence}\n`)

  /** Takes a line of the log. */
  function hear(text: string): void {
    const line: LogLine = JSON.parse(text)
    heard.push(line)
    const sentence = sentenceOf(line)
    if (sentence !== undefined) say(`  ${sentence}`)
  }

  return {
    hear,
    say,
    title: (sentence: string) => write(`\n${colours.bold(sentence)}\n`),
    /** The calls since `from`, a `position`. */
    calls: (from: number, { mergeRequest, result }: { mergeRequest?: string; result?: string }) =>
      heard
        .slice(from)
        .filter(
          (line) =>
            line.event === 'call' &&
            (mergeRequest === undefined || String(line.mergeRequest).endsWith(mergeRequest)) &&
            (result === undefined || line.result === result),
        ),
    events: (from: number, name: string) => heard.slice(from).filter((line) => line.event === name),
    position: () => heard.length,
  }
}

function sentenceOf(line: LogLine): string | undefined {
  const mergeRequest = typeof line.mergeRequest === 'string' ? `!${line.mergeRequest.split('!').at(-1)}` : ''
  switch (line.event) {
    case 'delivery_accepted':
      return colours.dim(`delivery accepted   ${text(line.kind)}`)
    case 'delivery_duplicate':
      return `duplicate delivery  ${text(line.kind)}: known, its event counts once`
    case 'delivery_unauthorized':
      return colours.yellow('delivery refused    wrong or missing secret (401)')
    case 'rule_matched':
      return `rule matched        ${mergeRequest} “${text(line.rule)}” (${text(line.file)}:${text(line.line)})`
    case 'call':
      return callLine(line, mergeRequest)
    case 'replay':
      return `delivery replayed   by ${text(line.by)}`
    case 'job_failed':
      return colours.red(`a job failed        ${JSON.stringify(line.err ?? '').slice(0, 300)}`)
    default:
      return undefined
  }
}

function callLine(line: LogLine, mergeRequest: string): string {
  if (line.result === 'done') return colours.green(effectOf(text(line.endpoint), line.params ?? {}, mergeRequest))
  return colours.yellow(
    `${words(text(line.result)).padEnd(19)} ${mergeRequest} ${text(line.action)}: ${text(line.message)}`,
  )
}

/** The effect of a successful call. */
function effectOf(endpoint: string, params: object, mergeRequest: string): string {
  const { add_labels, duration, sha, squash } = params as Record<string, unknown>
  switch (endpoint) {
    case 'mergeRequests.update':
      return add_labels === undefined
        ? `update sent         ${mergeRequest} ${squash === true ? 'squash' : ''}`
        : `label added         ${mergeRequest} ${text(add_labels)}`
    case 'mergeRequests.timeEstimate':
      return `estimate set        ${mergeRequest} ${text(duration)}`
    case 'mergeRequests.subscribe':
      return `subscribed          ${mergeRequest}`
    case 'mergeRequests.approve':
      return `approved            ${mergeRequest} at ${text(sha).slice(0, 10)}`
    case 'mergeRequests.accept':
      return `accepted            ${mergeRequest} at ${text(sha).slice(0, 10)}`
    case 'mergeQueue.enter':
      return `merge queue         ${mergeRequest} enters`
    case 'mergeQueue.leave':
      return `merge queue         ${mergeRequest} leaves`
    default:
      return `${endpoint} ${mergeRequest}`
  }
}

const text = (value: unknown) => plain(String(value ?? ''))
