// Makes every test file see the environment of a fresh machine: no BELLHOP_* or GIT_* of whoever runs the tests.
for (const name of Object.keys(process.env)) {
  if (name.startsWith('BELLHOP_') || name.startsWith('GIT_')) delete process.env[name]
}
