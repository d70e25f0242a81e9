// The same work as the smallest real hook in Node.js: read the payload, parse it, answer.
let text = '';
process.stdin.on('data', (chunk) => (text += chunk));
process.stdin.on('end', () => {
  const payload = JSON.parse(text);
  process.stdout.write(JSON.stringify(payload.tool_name ? {} : { decision: 'allow' }));
});
