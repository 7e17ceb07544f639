// `npm run bench -- NAME [options]`: runs bench/NAME/run.ts.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const [name = '', ...options] = process.argv.slice(2)
const names = readdirSync(import.meta.dirname).filter((each) => existsSync(join(import.meta.dirname, each, 'run.ts')))

if (names.includes(name)) {
  const { run } = (await import(`./${name}/run.ts`)) as { run: (options: readonly string[]) => Promise<void> }
  await run(options)
} else {
  const usage = `Usage: npm run bench -- NAME [--help]\n\nNAME: ${names.join(', ')}\n`
  if (name === '--help' || name === '-h') process.stdout.write(usage)
  else {
    process.stderr.write(usage)
    process.exitCode = 2
  }
}
