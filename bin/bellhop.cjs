#!/usr/bin/env node
// The command: checks the Node version first, then hands over to the built CLI.
require('./node-version.cjs')
// Flags may carry secrets: whoever lists the processes of this machine shall see no more than which command runs.
process.title = ['bellhop'].concat(process.argv.slice(2, 3)).join(' ')
import('../dist/bundle/main.js').then(
  (cli) => cli.main(process.argv.slice(2)),
  (error) => {
    if (error && error.code === 'ERR_MODULE_NOT_FOUND' && String(error.message).indexOf('dist') >= 0) {
      process.stderr.write('bellhop: not built yet; run "npm run build" first.\n')
      process.exit(1)
    }
    throw error
  },
)
