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
    const mergeRequest = typeof line.mergeRequest === 'string' ? `!${line.mergeRequest.split('!').at(-1)}` : ''
    const sentence = sentences[line.event ?? '']?.(line, mergeRequest)
    if (sentence !== undefined) say(`  ${sentence}`)
  }

  const events = (from: number, name: string) => heard.slice(from).filter((line) => line.event === name)
  return {
    hear,
    say,
    title: (sentence: string) => write(`\n${colours.bold(sentence)}\n`),
    /** Those since `from`, a `position`. */
    events,
    /** The calls for one merge request. */
    calls: (from: number, iid: number) =>
      events(from, 'call').filter((line) => String(line.mergeRequest).endsWith(`!${iid}`)),
    position: () => heard.length,
  }
}

const text = (value: unknown) => plain(String(value ?? ''))

/** What is said of each event; of the others nothing is. */
const sentences: Record<string, (line: LogLine, mergeRequest: string) => string> = {
  delivery_accepted: ({ kind }) => colours.dim(`delivery accepted   ${text(kind)}`),
  delivery_duplicate: ({ kind }) => `duplicate delivery  ${text(kind)}: known, its event counts once`,
  delivery_unauthorized: () => colours.yellow('delivery refused    wrong or missing secret (401)'),
  rule_matched: ({ rule, file, line }, mergeRequest) =>
    `rule matched        ${mergeRequest} “${text(rule)}” (${text(file)}:${text(line)})`,
  call: callLine,
  replay: ({ by }) => `delivery replayed   by ${text(by)}`,
  job_failed: ({ err }) => colours.red(`a job failed        ${JSON.stringify(err ?? '').slice(0, 300)}`),
}

function callLine({ result, endpoint, params, action, message }: LogLine, mergeRequest: string): string {
  if (result !== 'done')
    return colours.yellow(`${words(text(result)).padEnd(19)} ${mergeRequest} ${text(action)}: ${text(message)}`)
  const [what, detail = ''] = effects[text(endpoint)]?.(Object(params)) ?? []
  return colours.green(
    what === undefined ? `${text(endpoint)} ${mergeRequest}` : `${what.padEnd(19)} ${mergeRequest}${detail}`,
  )
}

/** The effect of each successful call, and what stands behind the merge request. */
const effects: Record<string, (params: Record<string, unknown>) => [string, string?]> = {
  'mergeRequests.update': ({ add_labels, squash }) =>
    add_labels === undefined
      ? ['update sent', squash === true ? ' squash' : ' ']
      : ['label added', ` ${text(add_labels)}`],
  'mergeRequests.timeEstimate': ({ duration }) => ['estimate set', ` ${text(duration)}`],
  'mergeRequests.subscribe': () => ['subscribed'],
  'mergeRequests.approve': ({ sha }) => ['approved', ` at ${text(sha).slice(0, 10)}`],
  'mergeRequests.accept': ({ sha }) => ['accepted', ` at ${text(sha).slice(0, 10)}`],
  'mergeQueue.enter': () => ['merge queue', ' enters'],
  'mergeQueue.leave': () => ['merge queue', ' leaves'],
}
