package database_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/effect/database"
	"github.com/boathook/boathook/internal/effect/effecttest"
)

func TestLosses(t *testing.T) {
	effecttest.Check(t, database.Effects, [][2]string{
		{`psql -c "DROP TABLE users"`, "database/drop-table =users"},
		{`psql -h prod-db.example.com -d shop -c 'DROP TABLE users'`, "database/drop-table production"},
		{`psql postgres://x@prod.example.com/shop -c 'DROP TABLE users'`, "database/drop-table production"},
		{`psql -d shop_test -c 'DROP TABLE users'`, "database/drop-table local"},
		{`psql -h localhost shop -c 'DROP TABLE users'`, "database/drop-table localhost !local"},
		{`psql -c "drop table users" -c 'select 1'`, "database/drop-table"},
		{`psql --command="DROP DATABASE shop"`, "database/drop-database"},
		{`echo "DROP TABLE users;" | psql shop`, "database/drop-table"},
		{"psql shop <<EOF\nBEGIN;\nDELETE FROM users;\nCOMMIT;\nEOF", "database/delete-all =users"},
		{"psql shop <<< 'TRUNCATE users'", "database/truncate"},
		{`PGHOST=prod-db psql -c 'TRUNCATE users'`, "database/truncate production"},
		{`T=users; psql -c "DROP TABLE $T"`, "database/drop-table =users"},
		{`psql -c "DROP TABLE $T"`, "database/drop-table"},
		{`mysql -uroot -psecret shop -e "DROP DATABASE shop"`, "database/drop-database"},
		{`mysql -e 'DELETE FROM users WHERE 1=1' shop`, "database/delete-all"},
		{`mariadb --execute='UPDATE users SET admin=1' shop`, "database/update-all"},
		{`sqlite3 app.db "DROP TABLE users"`, "database/drop-table @inside !local"},
		{`sqlite3 /tmp/x.db "DROP TABLE users"`, "database/drop-table local @temp"},
		{`sqlite3 :memory: "DROP TABLE users"`, "database/drop-table local"},
		{`sqlite3 test.db 'DELETE FROM users'`, "database/delete-all local"},
		{`sqlite3 -header -column app.db 'DELETE FROM users'`, "database/delete-all"},
		{`sqlite3 /srv/app.db 'DELETE FROM users;'`, "database/delete-all !local"},
		{`duckdb app.duckdb -c 'DROP TABLE x'`, "database/drop-table"},
		{`mongosh --eval 'db.dropDatabase()' shop`, "database/drop-database"},
		{`mongosh "mongodb+srv://x@prod.example.net/shop" --eval "db.users.deleteMany({})"`, "database/delete-all production"},
		{"redis-cli FLUSHALL", "database/flushall"},
		{"redis-cli -h prod-cache flushall", "database/flushall production"},
		{"redis-cli -n 3 flushdb", "database/flushdb"},
		{"echo FLUSHALL | redis-cli", "database/flushall"},
		{"redis-cli CONFIG SET dir /root/.ssh", "database/write-file"},
		{`cockroach sql -e 'DROP DATABASE shop'`, "database/drop-database"},
		{`clickhouse-client --query 'DROP TABLE hits'`, "database/drop-table"},
		{`sqlcmd -S x -Q "DROP DATABASE shop"`, "database/drop-database"},
		{`cqlsh -e 'DROP KEYSPACE shop'`, "database/drop-keyspace"},
		{`bq query 'DROP TABLE a.b'`, "database/drop-table"},
		{`bq rm -r -f shop`, "database/drop-table"},
		{`snowsql -q 'DROP DATABASE shop'`, "database/drop-database"},
		{`wrangler d1 execute shop --command 'DROP TABLE users'`, "database/drop-table"},
		{`docker exec db psql -U x -c 'DROP TABLE users'`, "database/drop-table remote"},
		{`docker exec -i db psql -U x <<< 'DROP TABLE users'`, "database/drop-table"},
		{`ssh prod-db "psql -c 'DROP TABLE users'"`, "database/drop-table remote production"},
		{"dropdb shop", "database/drop-database =shop"},
		{"dropdb -h prod-db shop", "database/drop-database production"},
		{"dropdb shop_test", "database/drop-database local"},
		{"mysqladmin -u root drop shop", "database/drop-database"},
		{"pg_restore --clean -d shop x.dump", "database/restore-clean"},
		{"mongorestore --drop dump/", "database/restore-clean"},
		{"rails db:drop", "database/drop-database"},
		{"bin/rails db:reset", "database/reset"},
		{"RAILS_ENV=production bundle exec rails db:reset", "database/reset production"},
		{"RAILS_ENV=test rake db:drop", "database/drop-database local"},
		{"npx prisma migrate reset --force", "database/reset"},
		{"yarn prisma migrate reset", "database/reset"},
		{"pnpm prisma migrate reset", "database/reset"},
		{"prisma db push --force-reset", "database/reset"},
		{"npx prisma db push --accept-data-loss", "database/data-loss"},
		{"alembic downgrade base", "database/migrate-down"},
		{"python manage.py flush --noinput", "database/reset"},
		{"python3 manage.py migrate shop zero", "database/migrate-down"},
		{"php artisan migrate:fresh --seed", "database/reset"},
		{"php artisan db:wipe", "database/reset"},
		{"npx sequelize-cli db:drop", "database/drop-database"},
		{"npx typeorm schema:drop", "database/reset"},
		{"mix ecto.reset", "database/reset"},
		{"flyway clean", "database/reset"},
		{"liquibase dropAll", "database/reset"},
		{"supabase db reset", "database/reset localhost"},
		{"supabase db reset --linked", "database/reset !localhost"},
		{"heroku pg:reset DATABASE -a shop-prod", "database/reset production"},
		{"bundle exec rake db:drop", "database/drop-database"},
	})
}

func TestEveryday(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(everyday), "\n") {
		effecttest.Check(t, database.Effects, [][2]string{{line}})
	}
}

const everyday = `
psql -c 'SELECT * FROM users'
psql -l
psql shop -c '\dt'
psql -f schema.sql shop
psql shop < dump.sql
psql -c "INSERT INTO log VALUES ('DROP TABLE users')"
psql -c "DELETE FROM users WHERE id = 7"
psql -c "UPDATE users SET a = 1 WHERE id = 7"
psql -c "CREATE TABLE x (id int)"
psql -c "SELECT count(*) FROM users -- DROP TABLE users"
psql --help
mysql -e 'SHOW TABLES' shop
mysql shop < dump.sql
sqlite3 app.db .tables
sqlite3 app.db 'SELECT 1'
sqlite3 -json app.db 'SELECT 1'
mongosh --eval 'db.users.find({})'
mongosh --eval 'db.users.deleteMany({age: 3})'
redis-cli ping
redis-cli get x
redis-cli DEL x
redis-cli --scan
createdb shop
pg_dump shop
pg_restore -d shop x.dump
rails db:migrate
rails db:rollback
rails db:seed
rails server
bundle exec rspec
npx prisma generate
npx prisma migrate dev
npx prisma migrate deploy
npx prisma db push
alembic upgrade head
alembic downgrade -1
python manage.py migrate
python manage.py test
python manage.py runserver
php artisan migrate
php artisan test
mix ecto.migrate
mix test
flyway migrate
supabase start
supabase db diff
echo "DROP TABLE users"
grep 'DROP TABLE' schema.sql
cat migrations/drop_table.sql
`
