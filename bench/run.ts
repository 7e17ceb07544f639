// `npm run bench [-- NAME…]`: measures, and writes one table as Markdown and JSON.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machine, machineLine } from './machine.ts'
import { withTable, worseThan } from './published.ts'
import { type Bench, CannotRun, type Row, table } from './row.ts'

const here = import.meta.dirname
const page = join(here, '../docs/performance.md')
const names = readdirSync(here).filter((each) => existsSync(join(here, each, 'run.ts')))
/** Counts what became of each delivery, and has options of its own. */
const counting = 'burst'
/** Seconds for each on two idle cores when all run, in total under ten minutes. Those without run only by name. */
const seconds: Readonly<Record<string, number>> = {
  'bad-input': 15,
  calls: 15,
  dashboard: 40,
  evaluation: 110,
  'first-call': 20,
  growth: 70,
  'merge-queue': 20,
  receiver: 120,
  'rule-files': 40,
  rules: 45,
  sandbox: 70,
  start: 20,
}

const { values, positionals, tokens } = parseArgs({
  allowPositionals: true,
  strict: false,
  tokens: true,
  options: {
    rounds: { type: 'string', default: '5' },
    out: { type: 'string', default: join(here, 'results') },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const [first = ''] = positionals
const rounds = Number(values.rounds)
const unknown = [
  ...positionals.filter((each) => !names.includes(each)),
  ...tokens.flatMap((each) =>
    each.kind === 'option' && !['rounds', 'out', 'write', 'help'].includes(each.name) ? [each.rawName] : [],
  ),
]
if (first === counting) {
  const { run } = (await import(`./${first}/run.ts`)) as { run: (options: readonly string[]) => Promise<void> }
  await run(process.argv.slice(process.argv.indexOf(first) + 1))
} else if (values.help === true) process.stdout.write(await help())
else if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 5 || (values.write === true && first === '')) {
  process.stderr.write(`${unknown.map((each) => `unknown: ${each}\n`).join('')}${await help()}`)
  process.exitCode = 2
} else {
  const part = positionals.length === 0
  await measure(part ? names.filter((each) => Object.hasOwn(seconds, each)) : positionals, {
    out: String(values.out),
    part,
  })
}

async function help(): Promise<string> {
  const about = await Promise.all(
    names.map(
      async (name) =>
        `  ${name.padEnd(12)} ${name === counting ? 'what becomes of a burst of deliveries: npm run bench -- burst --help' : (await load(name)).about}${Object.hasOwn(seconds, name) ? ` (${seconds[name]} s)` : ''}`,
    ),
  )
  return `Usage: npm run build && npm run bench [-- NAME…] [options]

Measures what npm run build made, each figure in turns with another one; prints a table, and writes it as Markdown and JSON. Says
which figures are 20 % worse than in docs/performance.md. Without a name: all that have a time below, which each is given then on two
idle cores; calls, dashboard, evaluation and merge-queue measure a part then.

${about.join('\n')}

Options:
  --rounds N   rounds of each measurement, at least 5 (default 5); the tables show medians, and of how many
  --out DIR    where results.md and results.json go (default bench/results)
  --write      write the tables of docs/performance.md anew; only with names, so that everything is measured whole
  --help       show this
`
}

async function load(name: string): Promise<Bench> {
  return ((await import(`./${name}/run.ts`)) as { bench: Bench }).bench
}

async function measure(wanted: readonly string[], { out, part }: { out: string; part: boolean }): Promise<void> {
  const on = machine()
  const results: { bench: string; rows: Row[]; tookSeconds: number; left?: string }[] = []
  const began = performance.now()
  const since = (started: number) => Math.round((performance.now() - started) / 1000)
  for (const [at, name] of wanted.entries()) {
    const say = (sentence: string) => process.stderr.write(`bench: ${name}: ${sentence}\n`)
    const started = performance.now()
    say(`${at + 1} of ${wanted.length}, after ${since(began)} s`)
    try {
      const rows = await (await load(name)).measure({ rounds, say, part })
      results.push({ bench: name, rows, tookSeconds: since(started) })
      say(
        `took ${since(started)} s${part && Object.hasOwn(seconds, name) ? ` of the ${seconds[name]} s that it is given` : ''}`,
      )
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      say(`left out: ${error.message}`)
      results.push({ bench: name, rows: [], tookSeconds: since(started), left: error.message })
    }
  }
  const sections = results.map(
    ({ bench, rows, tookSeconds, left }) =>
      `## ${bench}\n\n${left === undefined ? `${table(rows)}\nTook ${tookSeconds} s.\n` : `Left out: ${left}\n`}`,
  )
  const date = new Date().toISOString()
  const text = `${machineLine(on)}. ${date.slice(0, 10)}, ${since(began)} s in all.\n\n${sections.join('\n')}`
  await mkdir(out, { recursive: true })
  await writeFile(join(out, 'results.md'), text)
  await writeFile(
    join(out, 'results.json'),
    `${JSON.stringify({ date, machine: on, tookSeconds: since(began), results }, null, 2)}\n`,
  )
  process.stdout.write(`${text}\nWritten to ${join(out, 'results.md')} and results.json\n`)
  const published = readFileSync(page, 'utf8')
  for (const { bench, rows } of results)
    for (const sentence of worseThan(published, bench, rows))
      process.stdout.write(`bench: WARNING: ${bench}: ${sentence}\n`)
  if (values.write !== true) return
  const commit = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=8'], { encoding: 'utf8' }).stdout.trim()
  const source = `Commit ${commit}, ${date.slice(0, 10)}, ${on.cpu}, ${on.cores} cores, load ${on.load}.`
  const measured = results.filter(({ rows }) => rows.length > 0)
  writeFileSync(
    page,
    measured.reduce((before, { bench, rows }) => withTable(before, bench, { rows, source }), published),
  )
  process.stdout.write(`Written to docs/performance.md: ${measured.map(({ bench }) => bench).join(', ')}\n`)
}
